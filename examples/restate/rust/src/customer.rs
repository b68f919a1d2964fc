//! A customer, by number: knows which orders wait for an answer, and gives each event to one of
//! them. And the receiver of `messaging serve --forward`.

#![allow(missing_docs, reason = "the clients that the macros make")]

use std::collections::VecDeque;

use restate_sdk::prelude::{
    Context, ContextClient, ContextReadState, ContextWriteState, HandlerResult, Json,
    ObjectContext, SharedObjectContext, object, service,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::order::OrderClient;

/// Name of the state with the orders that wait, the longest first.
const ORDERS: &str = "orders";

/// Name of the state with the events that no order waited for.
const UNASKED: &str = "unasked";

type Orders = Json<VecDeque<String>>;
type Unasked = Json<Vec<Event>>;

/// An event of a customer.
#[derive(Serialize, Deserialize)]
pub struct Event {
    /// Its idempotency key.
    pub key: String,
    /// The customer's text.
    pub text: String,
}

/// A customer, as a person is shown one.
#[derive(Serialize, Deserialize)]
pub struct Shown {
    /// The orders that wait, the longest first.
    pub orders: VecDeque<String>,
    /// The events that no order waited for.
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

    /// Returns whether the order was waiting. If not, it was given an event.
    #[handler(name = "expectNoMore")]
    async fn expect_no_more(&self, ctx: ObjectContext<'_>, order: String) -> HandlerResult<bool> {
        let Json(mut orders) = ctx.get::<Orders>(ORDERS).await?.unwrap_or_default();
        let count = orders.len();
        orders.retain(|one| *one != order);
        let was_waiting = orders.len() < count;
        ctx.set(ORDERS, Json(orders));
        Ok(was_waiting)
    }

    /// The order that has waited longest. An event that no order waits for is kept for a person.
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

// Longer than `serve` keeps events (--keep, 7 days). By default Restate forgets a key after a day.
#[service(idempotency_retention = "8 days")]
impl Events {
    // `from` and `message` are members of the simulated service's events: the specification leaves
    // open which there are.
    #[handler]
    async fn received(&self, ctx: Context<'_>, event: Json<Value>) -> HandlerResult<()> {
        // Restate keeps `Idempotency-Key` to itself; `serve` sends the key in this header as well.
        let key = ctx.headers().get("x-idempotency-key");
        let from = event.0.get("from").and_then(Value::as_str);
        let (Some(key), Some(from)) = (key, from) else {
            // Not terminal: that would be remembered as this event's end. So it is tried again, and
            // shown, until this is mended.
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
