//! A customer, keyed by phone number: lists the orders that wait for an answer and assigns each
//! event to one of them. Also contains the receiver of `messaging serve --forward`.

#![allow(missing_docs, reason = "the clients that the macros make")]

use std::collections::VecDeque;

use restate_sdk::prelude::{
    Context, ContextClient, ContextReadState, ContextWriteState, HandlerResult, Json,
    ObjectContext, SharedObjectContext, object, service,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::order::OrderClient;

/// Name of the state with the waiting orders, oldest first.
const ORDERS: &str = "orders";

/// Name of the state with the events that matched no waiting order.
const UNASKED: &str = "unasked";

type Orders = Json<VecDeque<String>>;
type Unasked = Json<Vec<Event>>;

/// An event from a customer.
#[derive(Serialize, Deserialize)]
pub struct Event {
    /// Delivery key of the event.
    pub key: String,
    /// Text of the customer's message.
    pub text: String,
}

/// The state of a customer, for operators.
#[derive(Serialize, Deserialize)]
pub struct Shown {
    /// The waiting orders, oldest first.
    pub orders: VecDeque<String>,
    /// The events that matched no waiting order.
    pub unasked: Vec<Event>,
}

/// The virtual object `Customer`.
pub struct Customer;

#[object]
impl Customer {
    #[handler]
    async fn expect(&self, ctx: ObjectContext<'_>, order: String) -> HandlerResult<()> {
        let Json(mut orders) = ctx.get::<Orders>(ORDERS).await?.unwrap_or_default();
        orders.push_back(order);
        ctx.set(ORDERS, Json(orders));
        Ok(())
    }

    /// Removes an order from the waiting orders. Returns false if it was not waiting, because it
    /// already received an event.
    #[handler(name = "expectNoMore")]
    async fn expect_no_more(&self, ctx: ObjectContext<'_>, order: String) -> HandlerResult<bool> {
        let Json(mut orders) = ctx.get::<Orders>(ORDERS).await?.unwrap_or_default();
        let count = orders.len();
        orders.retain(|one| *one != order);
        let was_waiting = orders.len() < count;
        ctx.set(ORDERS, Json(orders));
        Ok(was_waiting)
    }

    /// Assigns an event to the order that has waited longest. Stores the event for an operator if
    /// no order waits.
    #[handler]
    async fn wrote(&self, ctx: ObjectContext<'_>, event: Json<Event>) -> HandlerResult<()> {
        let Json(mut orders) = ctx.get::<Orders>(ORDERS).await?.unwrap_or_default();
        let Some(order) = orders.pop_front() else {
            let Json(mut unasked) = ctx.get::<Unasked>(UNASKED).await?.unwrap_or_default();
            unasked.push(event.into_inner());
            ctx.set(UNASKED, Json(unasked));
            return Ok(());
        };
        ctx.set(ORDERS, Json(orders));
        ctx.workflow_client::<OrderClient>(order).answer(event).send();
        Ok(())
    }

    #[handler]
    async fn show(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Shown>> {
        let Json(orders) = ctx.get::<Orders>(ORDERS).await?.unwrap_or_default();
        let Json(unasked) = ctx.get::<Unasked>(UNASKED).await?.unwrap_or_default();
        Ok(Json(Shown { orders, unasked }))
    }
}

/// The service `Events`.
pub struct Events;

// Longer than `serve` keeps events (`--keep`, 7 days). Restate's default is one day.
#[service(idempotency_retention = "8 days")]
impl Events {
    // `from` and `message` are names that the simulated service uses. The specification does not
    // define further members.
    #[handler]
    async fn received(&self, ctx: Context<'_>, event: Json<Value>) -> HandlerResult<()> {
        // Restate hides the header `Idempotency-Key`. `serve` also sends the key in this header.
        let key = ctx.headers().get("x-idempotency-key");
        let from = event.0.get("from").and_then(Value::as_str);
        let (Some(key), Some(from)) = (key, from) else {
            // Not a terminal error, because Restate would store that as the result of the event.
            // Restate retries the event and shows the error until an operator fixes the cause.
            return Err("an event without a key, or without a number".into());
        };
        let text = match event.0.get("message") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let customer = ctx.object_client::<CustomerClient>(from);
        customer.wrote(Json(Event { key: key.clone(), text })).send();
        Ok(())
    }
}
