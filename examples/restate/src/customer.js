// A customer, by number: knows which orders wait for an answer, and gives each event to one of them. And the receiver of
// `messaging serve --forward`.

import * as restate from '@restatedev/restate-sdk';

const orders = async (ctx) => (await ctx.get('orders')) ?? [];

export const customer = restate.object({
  name: 'Customer',
  handlers: {
    expect: async (ctx, order) => ctx.set('orders', [...(await orders(ctx)), order]),

    // Returns whether the order was waiting. If not, it was given an event.
    expectNoMore: async (ctx, order) => {
      const all = await orders(ctx);
      ctx.set('orders', all.filter((one) => one !== order));
      return all.includes(order);
    },

    // The order that has waited longest. An event that no order waits for is kept for a person.
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
    // `from` and `message` are members of the simulated service's events: the specification leaves open which there are.
    received: async (ctx, { from, message }) => {
      // Restate keeps `Idempotency-Key` to itself; `serve` sends the key in this header as well.
      const key = ctx.request().headers.get('x-idempotency-key');
      // Not terminal: that would be remembered as this event's end. So it is tried again, and shown, until this is mended.
      if (key === undefined || typeof from !== 'string') throw new Error('an event without a key, or without a number');
      ctx.objectSendClient({ name: 'Customer' }, from).wrote({ key, text: String(message ?? '') });
    },
  },
  // Longer than `serve` keeps events (--keep, 7 days). By default Restate forgets a key after a day.
  options: { idempotencyRetention: { days: 8 } },
});
