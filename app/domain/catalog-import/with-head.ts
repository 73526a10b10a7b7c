/** The chunk of a stream that was read first, and the chunks after it. */
export async function* withHead<Chunk>(head: Chunk, rest: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}
