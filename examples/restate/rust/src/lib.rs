//! Durable sends and an order workflow on Restate, based on `messaging-host`. Names and JSON are
//! equal to the JavaScript example in this directory. A worker in either language can continue the
//! messages of the other.
//!
//! ```text
//! message   Message: at most one message for each key
//! order     Order: tells a customer, and waits for the answer
//! customer  Customer and Events: answers on their way to the orders
//! attempt   outcomes of a request and of a message
//! requests  the requests of this process
//! server    the handlers for Restate's nodes
//! ```

pub mod attempt;
pub mod customer;
pub mod message;
pub mod order;
pub mod requests;
pub mod server;
