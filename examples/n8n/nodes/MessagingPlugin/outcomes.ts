// Outcomes of the messages of an execution, so that n8n can repeat a node without sending twice.
//
// "Retry On Fail" runs a node again with all of its items, those that were sent before included, whatever
// failed. Outcomes are therefore kept in the context of the node, which belongs to the execution and is stored
// with it, so that a retry from the list of executions has it, too: a message that was created is not sent again,
// and neither is one that may exist.
//
// An execution that was stopped, or whose process died, is stored as it began. A retry of it begins at the first
// node, and nobody knows what had been sent: nothing is sent.

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
      // An agent calls its tool with one message after the other.
      return `${run}.${index}${context.isToolExecution?.() ? `.${JSON.stringify(request)}` : ''}`;
    };
  }

  static async of(context: IExecuteFunctions): Promise<Outcomes> {
    return new Outcomes(context, await isForgotten(context));
  }

  /** Sends the message of an item, unless that was done. @param signal gives `send` up
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
      return { failure: { ...unknown('n8n has not kept what the execution that is retried here had sent') } };
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

/** Whether this is the retry of an execution of which nothing was stored but its beginning. */
async function isForgotten(context: IExecuteFunctions): Promise<boolean> {
  if (context.getMode() !== 'retry') return false;
  // As it was stored when it began: what runs first is the node that failed, which comes after another, or the
  // first of the workflow.
  const stored = await context.getExecutionDataById(context.getExecutionId());
  return !stored?.executionData || stored.executionData.nodeExecutionStack.some(({ source }) => !source);
}
