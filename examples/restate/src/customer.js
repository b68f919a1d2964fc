// A customer, keyed by phone number: a virtual object with the orders that wait for an answer. Gives each event to one
// of these orders. The service `Events` is the receiver of `messaging serve --forward`.

import * as restate from '@restatedev/restate-sdk';

const orders = async (ctx) => (await ctx.get('orders')) ?? [];

export const customer = restate.object({
  name: 'Customer',
  handlers: {
    expect: async (ctx, order) => ctx.set('orders', [...(await orders(ctx)), order]),

    // Returns true if the order was waiting. If false, an event was given to the order.
    expectNoMore: async (ctx, order) => {
      const all = await orders(ctx);
      ctx.set('orders', all.filter((one) => one !== order));
      return all.includes(order);
    },

    // The order that has waited longest receives the event. If no order waits, the event is kept for an operator.
    wrote: async (ctx, event) => {
      const [order, ...others] = await orders(ctx);
      if (order === undefined) {
        ctx.set('unasked', [...((await ctx.get('unasked')) ?? []), event]);
        return;
      }
      ctx.set('orders', others);
      ctx.workflowSendClient({ name: 'Order' }, order).answer(event);
    },

    show: restate.handlers.object.shared(async (ctx) => ({
      orders: await orders(ctx),
      unasked: (await ctx.get('unasked')) ?? [],
    })),
  },
});

export const events = restate.service({
  name: 'Events',
  handlers: {
    // `from` and `message` are members of the simulated service's events. The specification does not define them.
    received: async (ctx, { from, message }) => {
      // Restate does not pass `Idempotency-Key` on, so `serve` also sends the key in this header.
      const key = ctx.request().headers.get('x-idempotency-key');
      // This error is not terminal, because Restate would record a terminal error as the result of this event. A
      // retried event stays visible until the error is repaired.
      if (key === undefined || typeof from !== 'string') throw new Error('the event has no key or no phone number');
      ctx.objectSendClient({ name: 'Customer' }, from).wrote({ key, text: String(message ?? '') });
    },
  },
  // Longer than `serve` keeps events (`--keep`, 7 days). The default of Restate is one day.
  options: { idempotencyRetention: { days: 8 } },
});
