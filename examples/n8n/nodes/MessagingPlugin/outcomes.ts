// Outcomes of the messages of an execution, so that n8n can repeat a node without sending twice.
//
// "Retry On Fail" runs a node again with all of its items, those that were sent before included, whatever
// failed. Outcomes are therefore kept in the context of the node, which belongs to the execution and is stored
// with it, so that a retry from the list of executions has it, too: a message that was created is not sent again,
// and neither is one that may exist.

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { failureOf, type Failure } from './failure';

const INTERRUPTED: Failure = {
  message: 'permanent-outcome-unknown: an earlier run of this node did not end',
  case: 'permanent-outcome-unknown',
  retry: 'never',
  mayExist: true,
};

export class Outcomes {
  private readonly kept: IDataObject;

  private readonly keyOf: (index: number, request: object) => string;

  constructor(context: IExecuteFunctions) {
    this.kept = context.getContext('node');
    this.keyOf = (index, request) => {
      const run = context.getWorkflowDataProxy(index).$runIndex as number;
      // An agent calls its tool with one message after the other.
      return `${run}.${index}${context.isToolExecution?.() ? `.${JSON.stringify(request)}` : ''}`;
    };
  }

  /** Sends the message of an item, unless that was done. @returns the message, or `{ failure }` */
  async once(index: number, request: object, send: () => Promise<IDataObject>): Promise<IDataObject> {
    const key = this.keyOf(index, request);
    const known = this.kept[key] as IDataObject | undefined;
    if (known !== undefined) return known;
    this.kept[key] = { failure: { ...INTERRUPTED } };
    try {
      const created = await send();
      this.kept[key] = created;
      return created;
    } catch (error) {
      const failure = failureOf(error, true) as unknown as IDataObject;
      if (failure.mayExist) this.kept[key] = { failure };
      else delete this.kept[key];
      return { failure };
    }
  }
}
