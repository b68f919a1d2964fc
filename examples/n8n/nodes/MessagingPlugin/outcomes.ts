// Outcomes of an execution's messages. With them, n8n can run a node again without sending a message twice.
//
// "Retry On Fail" runs a node again with all of its items, including items that were sent. The outcomes are
// therefore kept in the context of the node. n8n stores the context with the execution, so a retry from the list of
// executions has the outcomes too. A message that was created or can exist is not sent again.
//
// If an execution was stopped or its process died, n8n has stored only its beginning. A retry starts at the first
// node, and the outcomes are lost. Such a retry sends nothing.

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { failureOf, type Failure } from './failure';

const unknown = (detail: string): Failure => ({
  message: `permanent-outcome-unknown: ${detail}`,
  case: 'permanent-outcome-unknown',
  retry: 'never',
  mayExist: true,
});

export class Outcomes {
  private readonly kept: IDataObject;

  private readonly keyOf: (index: number, request: object) => string;

  private constructor(
    context: IExecuteFunctions,
    private readonly isForgotten: boolean,
  ) {
    this.kept = context.getContext('node');
    this.keyOf = (index, request) => {
      const run = context.getWorkflowDataProxy(index).$runIndex as number;
      // The key of a tool call contains the request, because an agent calls its tool several times in one run.
      return `${run}.${index}${context.isToolExecution?.() ? `.${JSON.stringify(request)}` : ''}`;
    };
  }

  static async of(context: IExecuteFunctions): Promise<Outcomes> {
    return new Outcomes(context, await isForgotten(context));
  }

  /** Sends the message of an item, unless an earlier run of the node has sent the message.
   *  @param signal cancels `send`
   *  @returns the message, or `{ failure }` */
  async once(
    index: number,
    request: object,
    signal: AbortSignal | undefined,
    send: () => Promise<IDataObject>,
  ): Promise<IDataObject> {
    const key = this.keyOf(index, request);
    const known = this.kept[key] as IDataObject | undefined;
    if (known !== undefined) return known;
    if (this.isForgotten) {
      return { failure: { ...unknown('n8n has no record of the sends of the retried execution') } };
    }
    this.kept[key] = { failure: { ...unknown('an earlier run of this node did not end') } };
    try {
      const created = await send();
      this.kept[key] = created;
      return created;
    } catch (error) {
      const failure = failureOf(error, true, signal) as unknown as IDataObject;
      if (failure.mayExist) this.kept[key] = { failure };
      else delete this.kept[key];
      return { failure };
    }
  }
}

/** Returns true if this execution is a retry, and n8n has stored only the beginning of the retried execution. */
async function isForgotten(context: IExecuteFunctions): Promise<boolean> {
  if (context.getMode() !== 'retry') return false;
  // The stored state contains the node that the retry runs first: the failed node, which has a source, or the first node
  // of the workflow, which has no source.
  const stored = await context.getExecutionDataById(context.getExecutionId());
  return !stored?.executionData || stored.executionData.nodeExecutionStack.some(({ source }) => !source);
}
