/** What is wrong with a file or a call, in a sentence for people. */
export class Refusal extends Error {}
