//! Simulated crash at any await point of a call.

use std::pin::Pin;
use std::task::{Context, Poll};

/// A call that is dropped after it has been pending `waits` times, like a crash at that point.
pub struct CutOff<F> {
    call: Pin<Box<F>>,
    waits: usize,
}

impl<F: Future> Future for CutOff<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.call.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.waits == 0 => Poll::Ready(None),
            Poll::Pending => {
                self.waits -= 1;
                Poll::Pending
            }
        }
    }
}

pub fn cut_off<F: Future>(call: F, waits: usize) -> CutOff<F> {
    CutOff { call: Box::pin(call), waits }
}
