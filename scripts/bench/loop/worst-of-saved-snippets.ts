import type { Scene, WorstCalls } from './scene.ts'

const path = '/saved_snippets'
const content = 'x'.repeat(4000)

/** Path of one of 1,000 snippets with 4 MiB of text, as many as an account keeps. */
async function full({ reader }: Scene): Promise<string> {
  const { saved_snippets } = await reader.must('GET', path)
  let last = saved_snippets.at(-1)?.id
  for (let kept = saved_snippets.length; kept < 1000; kept += 1) {
    last = (await reader.must('POST', path, { title: 'x', content })).saved_snippet_id
  }
  return `${path}/${last}`
}

export const worstCalls: WorstCalls = {
  'get-saved-snippets': [{ prepare: (scene) => full(scene), call: ({ reader }) => reader.get(path) }],
  'create-saved-snippet': [
    {
      prepare: async (scene) => scene.reader.must('DELETE', await full(scene)),
      call: ({ reader }) => reader.post(path, { title: 'x', content }),
    },
  ],
  'update-saved-snippet': [
    { prepare: (scene) => full(scene), call: ({ reader }, one) => reader.patch(String(one), { content }) },
  ],
  'delete-saved-snippet': [{ prepare: (scene) => full(scene), call: ({ reader }, one) => reader.delete(String(one)) }],
}
