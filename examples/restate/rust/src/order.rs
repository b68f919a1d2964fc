//! An order: tells the customer that it is ready, and waits for the answer.

#![allow(missing_docs, reason = "the clients that the macros make")]

use std::time::Duration;

use restate_sdk::prelude::{
    ContextClient, ContextPromises, ContextTimers, HandlerResult, Json, SharedWorkflowContext,
    TerminalError, WorkflowContext, workflow,
};
use serde::{Deserialize, Serialize};

use crate::attempt::{NewMessage, State};
use crate::customer::{CustomerClient, Event};
use crate::message::MessageClient;

/// How long an order waits for the customer's answer: 14 days.
const PATIENCE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Name of the promise of the customer's answer.
const ANSWER: &str = "answer";

/// The workflow `Order`.
pub struct Order;

/// An order as it is submitted.
#[derive(Serialize, Deserialize)]
pub struct Submitted {
    /// The customer's number.
    pub phone: String,
    /// The text that the customer gets.
    pub message: String,
}

/// The end of an order.
#[derive(Serialize)]
pub struct Ended {
    /// `answered`, `unanswered`, or what became of the message that was not created.
    pub state: &'static str,
    /// The end of the message.
    pub sent: State,
    /// The customer's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Event>,
    /// The end of the thanks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thanks: Option<State>,
}

// An id that is submitted again within this time is not a new order. An order's messages are
// remembered for ever.
#[workflow(workflow_completion_retention = "30 days")]
impl Order {
    #[handler]
    async fn run(
        &self,
        ctx: WorkflowContext<'_>,
        submitted: Json<Submitted>,
    ) -> HandlerResult<Json<Ended>> {
        let Json(Submitted { phone, message }) = submitted;
        let order = ctx.key().to_string();
        let send = |purpose: &str, text: &str| {
            let message = ctx.object_client::<MessageClient>(format!("{order}.{purpose}"));
            message.send(Json(NewMessage::new(&phone, text))).call()
        };
        let customer = ctx.object_client::<CustomerClient>(phone.as_str());
        // Before the message: its answer can be faster than what follows it.
        customer.expect(order.clone()).call().await?;

        // Returns when it is known whether the message exists, however long a person takes to find
        // out.
        let Json(sent) = send("ready", &message).await?;
        if !matches!(sent, State::Created { .. }) {
            // An answer that this order was given meanwhile belongs to another one.
            if !customer.expect_no_more(order.clone()).call().await? {
                let answer = ctx.promise::<Json<Event>>(ANSWER).await?;
                customer.wrote(answer).call().await?;
            }
            return Ok(Json(Ended { state: sent.name(), sent, answer: None, thanks: None }));
        }
        let answer = restate_sdk::select! {
            answer = ctx.promise::<Json<Event>>(ANSWER) => Some(answer?),
            elapsed = ctx.sleep(PATIENCE) => {
                elapsed?;
                None
            }
        };
        let Json(answer) = match answer {
            Some(answer) => answer,
            None => {
                if customer.expect_no_more(order.clone()).call().await? {
                    let state = "unanswered";
                    return Ok(Json(Ended { state, sent, answer: None, thanks: None }));
                }
                // Given at the last moment.
                ctx.promise::<Json<Event>>(ANSWER).await?
            }
        };
        let text = format!("Thank you. You wrote: {}", answer.text);
        let Json(thanks) = send("thanks", &text).await?;
        let (answer, thanks) = (Some(answer), Some(thanks));
        Ok(Json(Ended { state: "answered", sent, answer, thanks }))
    }

    #[handler]
    async fn answer(
        &self,
        ctx: SharedWorkflowContext<'_>,
        event: Json<Event>,
    ) -> HandlerResult<()> {
        ctx.resolve_promise(ANSWER, event);
        Ok(())
    }
}
