//! An order workflow: tells the customer that the order is ready and waits for an answer.

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

/// Maximum time to wait for the customer's answer: 14 days.
const PATIENCE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Name of the promise for the customer's answer.
const ANSWER: &str = "answer";

/// The workflow `Order`.
pub struct Order;

/// A submitted order.
#[derive(Serialize, Deserialize)]
pub struct Submitted {
    /// Phone number of the customer.
    pub phone: String,
    /// Text of the message to the customer.
    pub message: String,
}

/// Result of an order.
#[derive(Serialize)]
pub struct Ended {
    /// `answered`, `unanswered`, or the state of a message that was not created.
    pub state: &'static str,
    /// State of the message to the customer.
    pub sent: State,
    /// The customer's answer, if it arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Event>,
    /// State of the thank-you message, if there is an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thanks: Option<State>,
}

// Submitting an order ID again within this time starts no new order. The messages of an order are
// stored forever.
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
        // Registers before the message is sent, because the answer may arrive before the next step.
        customer.expect(order.clone()).call().await?;

        // Waits until an operator resolves an unknown outcome.
        let Json(sent) = send("ready", &message).await?;
        if !matches!(sent, State::Created { .. }) {
            // An answer that arrived in the meantime belongs to another order.
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
                // The answer arrived after the timeout and before the order was removed.
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
