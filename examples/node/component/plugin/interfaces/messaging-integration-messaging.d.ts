/** @module Interface messaging:integration/messaging@0.2.0 **/
export function sendMessage(request: MessageRequest): CreatedMessage;
export function listTemplates(query: TemplateQuery): TemplatePage;
export function handleEvent(delivery: WebhookDelivery): Event;
export interface Field {
  name: string,
  json: string,
}
export interface MessageRequest {
  phone: string,
  message: string,
  device?: string,
  fields: Array<Field>,
}
export interface CreatedMessage {
  id: string,
  json: string,
}
export interface QueryParameter {
  name: string,
  value: string,
}
export interface TemplateQuery {
  status?: string,
  parameters: Array<QueryParameter>,
  everyPage?: string,
}
export interface Template {
  name: string,
  status: string,
  language: string,
  json: string,
}
/**
 * # Variants
 * 
 * ## `"pages-not-followed"`
 * 
 * ## `"page-parameter-ignored"`
 * 
 * ## `"page-repeated"`
 * 
 * ## `"page-empty"`
 * 
 * ## `"total-changed"`
 * 
 * ## `"cap-reached"`
 */
export type IncompleteReason = 'pages-not-followed' | 'page-parameter-ignored' | 'page-repeated' | 'page-empty' | 'total-changed' | 'cap-reached';
export interface TemplatePage {
  templates: Array<Template>,
  total: number,
  page: number,
  size: number,
  incomplete?: IncompleteReason,
}
export interface Header {
  name: string,
  value: string,
}
export interface WebhookDelivery {
  headers: Array<Header>,
  body: string,
}
export interface Event {
  idempotencyKey: string,
  messageId: string,
  kind: string,
  json: string,
}
export interface InvalidInput {
  field: string,
  detail: string,
}
export interface InvalidSettings {
  setting: string,
  detail: string,
}
export interface FieldDetail {
  field?: string,
  message: string,
}
export interface Refusal {
  status: number,
  code?: string,
  message?: string,
  details: Array<FieldDetail>,
  body: string,
}
/**
 * # Variants
 * 
 * ## `"sending-request"`
 * 
 * ## `"awaiting-reply"`
 * 
 * ## `"reading-reply"`
 * 
 * ## `"reply-unclear"`
 */
export type Stage = 'sending-request' | 'awaiting-reply' | 'reading-reply' | 'reply-unclear';
export interface OutcomeUnknown {
  stage: Stage,
  detail: string,
  status?: number,
  refusal?: Refusal,
}
export interface UnexpectedReply {
  status: number,
  path: string,
  detail: string,
}
export interface Denied {
  detail: string,
}
export interface Other {
  code: string,
  detail: string,
  status?: number,
}
export interface RateLimit {
  retryAfterMs?: number,
  refusal: Refusal,
}
export interface NotSent {
  detail: string,
}
export interface Unavailable {
  detail: string,
  status?: number,
  retryAfterMs?: number,
}
export type Error = ErrorExecutionFailed | ErrorPermanentInvalidInput | ErrorPermanentInvalidSettings | ErrorPermanentUnauthorized | ErrorPermanentRefused | ErrorPermanentOutcomeUnknown | ErrorPermanentUnexpectedReply | ErrorPermanentDenied | ErrorRateLimited | ErrorNotSent | ErrorUnavailable | ErrorPermanentOther;
export interface ErrorExecutionFailed {
  tag: 'execution-failed',
}
export interface ErrorPermanentInvalidInput {
  tag: 'permanent-invalid-input',
  val: InvalidInput,
}
export interface ErrorPermanentInvalidSettings {
  tag: 'permanent-invalid-settings',
  val: InvalidSettings,
}
export interface ErrorPermanentUnauthorized {
  tag: 'permanent-unauthorized',
  val: Refusal,
}
export interface ErrorPermanentRefused {
  tag: 'permanent-refused',
  val: Refusal,
}
export interface ErrorPermanentOutcomeUnknown {
  tag: 'permanent-outcome-unknown',
  val: OutcomeUnknown,
}
export interface ErrorPermanentUnexpectedReply {
  tag: 'permanent-unexpected-reply',
  val: UnexpectedReply,
}
export interface ErrorPermanentDenied {
  tag: 'permanent-denied',
  val: Denied,
}
export interface ErrorRateLimited {
  tag: 'rate-limited',
  val: RateLimit,
}
export interface ErrorNotSent {
  tag: 'not-sent',
  val: NotSent,
}
export interface ErrorUnavailable {
  tag: 'unavailable',
  val: Unavailable,
}
export interface ErrorPermanentOther {
  tag: 'permanent-other',
  val: Other,
}
