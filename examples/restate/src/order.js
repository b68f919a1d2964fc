// An order: tells the customer that it is ready, and waits for the answer.

import * as restate from '@restatedev/restate-sdk';

/** How long an order waits for the customer's answer. */
const PATIENCE = { days: 14 };

async function run(ctx, { phone, message }) {
  const send = (purpose, text) => ctx.objectClient({ name: 'Message' }, `${ctx.key}.${purpose}`).send({ phone, message: text });
  const customer = ctx.objectClient({ name: 'Customer' }, phone);
  // Before the message: its answer can be faster than what follows it.
  await customer.expect(ctx.key);

  // Returns when it is known whether the message exists, however long a person takes to find out.
  const sent = await send('ready', message);
  if (sent.state !== 'created') {
    // An answer that this order was given meanwhile belongs to another one.
    if (!(await customer.expectNoMore(ctx.key))) await customer.wrote(await ctx.promise('answer'));
    return { state: sent.state, sent };
  }
  let answer;
  try {
    answer = await ctx.promise('answer').get().orTimeout(PATIENCE);
  } catch (error) {
    if (!(error instanceof restate.TimeoutError)) throw error;
    if (await customer.expectNoMore(ctx.key)) return { state: 'unanswered', sent };
    answer = await ctx.promise('answer'); // given at the last moment
  }
  const thanks = await send('thanks', `Thank you. You wrote: ${answer.text}`);
  return { state: 'answered', sent, answer, thanks };
}

export const order = restate.workflow({
  name: 'Order',
  handlers: {
    run,
    answer: (ctx, event) => ctx.promise('answer').resolve(event),
  },
  // An id that is submitted again within this time is not a new order. An order's messages are remembered for ever.
  options: { workflowRetention: { days: 30 } },
});
