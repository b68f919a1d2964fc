// An order: notifies the customer that it is ready, and waits for the answer.

import * as restate from '@restatedev/restate-sdk';

/** Time for which an order waits for the customer's answer. */
const TIMEOUT = { days: 14 };

async function run(ctx, { phone, message }) {
  const send = (purpose, text) => ctx.objectClient({ name: 'Message' }, `${ctx.key}.${purpose}`).send({ phone, message: text });
  const customer = ctx.objectClient({ name: 'Customer' }, phone);
  // Registers the order before the send, because the answer can arrive before the next step.
  await customer.expect(ctx.key);

  // This step ends when the outcome is known. It takes long if an operator must resolve the outcome.
  const sent = await send('ready', message);
  if (sent.state !== 'created') {
    // The customer can have answered during the send. As this order has no message, the answer belongs to another order.
    if (!(await customer.expectNoMore(ctx.key))) await customer.wrote(await ctx.promise('answer'));
    return { state: sent.state, sent };
  }
  let answer;
  try {
    answer = await ctx.promise('answer').get().orTimeout(TIMEOUT);
  } catch (error) {
    if (!(error instanceof restate.TimeoutError)) throw error;
    if (await customer.expectNoMore(ctx.key)) return { state: 'unanswered', sent };
    answer = await ctx.promise('answer'); // the answer arrived between the timeout and `expectNoMore`
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
  // Within this time, an order with the same ID is not a new order. The messages of an order are kept without
  // limit.
  options: { workflowRetention: { days: 30 } },
});
