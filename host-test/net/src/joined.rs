//! Joins small pieces of a body that arrive together. The service chooses the size of the pieces,
//! and each piece costs the component a call.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use http_body::{Body, Frame, SizeHint};

/// Size after which joined data is passed on, in bytes.
const ENOUGH: usize = 16 * 1024;

/// Number of polls without data after which the joined data is passed on. Not 0, because the
/// connection is a separate task that delivers one piece each time it runs.
const TURNS: u8 = 4;

/// A body whose small pieces are joined.
pub struct Joined<B: Body> {
    body: B,
    /// The joined data that has not been passed on.
    joined: Option<BytesMut>,
    /// Number of polls without data since the last piece.
    turns: u8,
    /// A frame or an error that follows the joined data.
    next: Option<Result<Frame<Bytes>, B::Error>>,
    ended: bool,
}

impl<B: Body> Joined<B> {
    /// Creates a body with the data of `body`.
    pub fn new(body: B) -> Self {
        Self { body, joined: None, turns: 0, next: None, ended: false }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Joined<B>
where
    B::Error: Unpin,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = &mut *self;
        while this.next.is_none() && !this.ended {
            let frame = match Pin::new(&mut this.body).poll_frame(context) {
                Poll::Ready(frame) => frame,
                Poll::Pending if this.joined.is_none() => return Poll::Pending,
                Poll::Pending if this.turns < TURNS => {
                    this.turns = this.turns.saturating_add(1);
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Poll::Pending => break,
            };
            match frame.map(|frame| frame.map(Frame::into_data)) {
                None => this.ended = true,
                Some(Err(error)) => this.next = Some(Err(error)),
                Some(Ok(Err(other))) => this.next = Some(Ok(other)),
                Some(Ok(Ok(data))) => match &mut this.joined {
                    None if data.len() >= ENOUGH => {
                        return Poll::Ready(Some(Ok(Frame::data(data))));
                    }
                    None => this.joined = Some(data.into()),
                    Some(joined) => joined.extend_from_slice(&data),
                },
            }
            this.turns = 0;
            let is_enough = this.joined.as_ref().is_some_and(|joined| joined.len() >= ENOUGH);
            // Does not wait for more data if the body has reached its content length.
            if is_enough || this.body.is_end_stream() {
                break;
            }
        }
        this.turns = 0;
        let joined = this.joined.take().map(|joined| Ok(Frame::data(joined.freeze())));
        Poll::Ready(joined.or_else(|| this.next.take()))
    }

    fn is_end_stream(&self) -> bool {
        self.joined.is_none() && self.next.is_none() && (self.ended || self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use futures_util::FutureExt;
    use http::HeaderMap;
    use http_body_util::BodyExt;

    use super::*;

    enum Piece {
        Data(&'static [u8]),
        Trailers,
        Broken,
        /// No data for this many polls.
        Later(u32),
        /// No data, forever.
        Never,
    }

    use Piece::{Broken, Data, Later, Never, Trailers};

    struct Pieces(VecDeque<Piece>);

    impl Body for Pieces {
        type Data = Bytes;
        type Error = &'static str;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
            Poll::Ready(match self.0.pop_front() {
                Some(Data(text)) => Some(Ok(Frame::data(Bytes::from_static(text)))),
                Some(Trailers) => Some(Ok(Frame::trailers(HeaderMap::new()))),
                Some(Broken) => Some(Err("broken")),
                Some(Later(turns)) => {
                    if turns > 1 {
                        self.0.push_front(Later(turns - 1));
                    }
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Some(Never) => {
                    self.0.push_front(Never);
                    return Poll::Pending;
                }
                None => None,
            })
        }
    }

    /// Returns the frames of the joined body: data as strings, other frames as words. Each poll of
    /// the body counts `Later` down by one.
    fn read(pieces: impl IntoIterator<Item = Piece>) -> Vec<String> {
        let mut joined = Joined::new(Pieces(pieces.into_iter().collect()));
        let (mut seen, mut turns) = (Vec::new(), 0);
        loop {
            match joined.frame().now_or_never() {
                None if turns > 100 => return seen,
                None => turns += 1,
                Some(None) => return seen,
                Some(Some(Err(error))) => seen.push(error.to_string()),
                Some(Some(Ok(frame))) => seen.push(match frame.into_data() {
                    Ok(data) => String::from_utf8_lossy(&data).into_owned(),
                    Err(_) => "trailers".into(),
                }),
            }
        }
    }

    #[test]
    fn available_pieces_are_joined_without_waiting() {
        assert_eq!(read([Data(b"a"), Data(b"b"), Later(2), Data(b"c")]), ["abc"]);
        assert_eq!(read([Later(9), Data(b"a"), Later(9), Data(b"b"), Never]), ["a", "b"]);
        assert_eq!(read([Data(b""), Data(b"a"), Data(b"")]), ["a"]);
    }

    #[test]
    fn trailers_and_errors_follow_data() {
        assert_eq!(read([Data(b"a"), Data(b"b"), Trailers]), ["ab", "trailers"]);
        assert_eq!(read([Data(b"a"), Later(1), Broken]), ["a", "broken"]);
        assert_eq!(read([Broken]), ["broken"]);
        assert_eq!(read([]), [""; 0]);
    }

    #[test]
    fn pieces_are_joined_up_to_limit() {
        static LARGE: [u8; ENOUGH] = [b'x'; ENOUGH];
        let mut joined = Joined::new(Pieces([Data(&LARGE), Data(b"a")].into()));
        let piece = joined.frame().now_or_never().unwrap().unwrap().unwrap().into_data().unwrap();
        assert_eq!((piece.as_ptr(), piece.len()), (LARGE.as_ptr(), ENOUGH), "piece was copied");
        let seen = read((0..3 * ENOUGH).map(|_| Data(b"x")));
        assert_eq!(seen.iter().map(String::len).collect::<Vec<_>>(), [ENOUGH; 3]);
    }
}
