// What an application does with the official JavaScript client, checked step by step.
//
// Usage: node scenario.js http://127.0.0.1:9200

import assert from 'node:assert/strict'
import { Client, errors } from '@elastic/elasticsearch'

const INDEX = 'clients-javascript'
const BOOKS = 24
const mappings = {
  dynamic: 'strict',
  properties: {
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    author: { type: 'keyword' },
    price: { type: 'double' },
    pages: { type: 'integer' },
    published: { type: 'date' },
    in_print: { type: 'boolean' }
  }
}

// Book `number`: authors take turns, prices and pages rise, two appear each month of 2024.
function book (number) {
  return {
    title: `volume ${number} of the ${number % 2 ? 'long' : 'short'} history`,
    author: ['austen', 'borges', 'calvino'][number % 3],
    price: number + 0.5,
    pages: 100 + number,
    published: `2024-${String(Math.floor(number / 2) + 1).padStart(2, '0')}-15T12:00:00Z`,
    in_print: number % 4 === 0
  }
}

const numbers = Array.from({ length: BOOKS }, (_, number) => number)

async function raises (status, type, call) {
  const error = await call().then(
    () => assert.fail(`nothing was raised, expected ${status} ${type}`),
    error => error)
  assert.ok(error instanceof errors.ResponseError, `a ResponseError, not ${error}`)
  assert.equal(error.statusCode, status)
  assert.equal(error.body.error?.type, type)
  return error
}

async function creates (client) {
  const answer = await client.indices.create({ index: INDEX, settings: { number_of_shards: 2 }, mappings })
  assert.equal(answer.acknowledged, true)
  assert.equal(answer.index, INDEX)
  assert.equal(await client.indices.exists({ index: INDEX }), true)
  const mapping = await client.indices.getMapping({ index: INDEX })
  assert.deepEqual(mapping[INDEX].mappings.properties.price, { type: 'double' })
  await raises(400, 'resource_already_exists_exception', () => client.indices.create({ index: INDEX }))
}

async function bulks (client) {
  const succeeded = []
  const stats = await client.helpers.bulk({
    datasource: numbers.map(number => ({ number, ...book(number) })),
    onDocument: ({ number, ...document }) => [{ index: { _index: INDEX, _id: String(number) } }, document],
    onSuccess: ({ result }) => succeeded.push(result.index.status),
    flushBytes: 1000,
    concurrency: 2,
    retries: 0
  }).catch(error => error)
  assert.equal(stats.failed, 0, String(stats))
  assert.equal(stats.successful, BOOKS)
  assert.deepEqual(succeeded, numbers.map(() => 201))

  const dropped = []
  const mixed = await client.helpers.bulk({
    datasource: [{ id: '0', pages: 1 }, { id: 'wrong', pages: 'many' }, { id: 'new', pages: 2 }],
    onDocument: ({ id, ...document }) => [{ create: { _index: INDEX, _id: id } }, document],
    onDrop: ({ status, error }) => dropped.push([status, error.type]),
    refreshOnCompletion: INDEX,
    retries: 0
  })
  assert.equal(mixed.failed, 2)
  assert.equal(mixed.successful, 1)
  assert.deepEqual(dropped.sort(), [
    [400, 'document_parsing_exception'],
    [409, 'version_conflict_engine_exception']
  ])

  const plain = await client.bulk({
    index: INDEX,
    refresh: 'wait_for',
    operations: [
      { update: { _id: 'new' } }, { doc: { pages: 7 } },
      { delete: { _id: 'new' } },
      { delete: { _id: 'absent' } }
    ]
  })
  assert.equal(plain.errors, false)
  assert.deepEqual(plain.items.map(item => Object.values(item)[0].result), ['updated', 'deleted', 'not_found'])
  assert.equal((await client.indices.refresh({ index: INDEX }))._shards.failed, 0)
}

async function updates (client) {
  const first = await client.index({ index: INDEX, id: 'hobbit', document: book(0), op_type: 'create' })
  assert.deepEqual([first.result, first._version], ['created', 1])
  const seen = { if_seq_no: first._seq_no, if_primary_term: first._primary_term }
  const second = await client.index({
    index: INDEX, id: 'hobbit', document: { ...book(0), pages: 310 }, ...seen
  })
  assert.deepEqual([second.result, second._version], ['updated', 2])
  await raises(409, 'version_conflict_engine_exception', () =>
    client.index({ index: INDEX, id: 'hobbit', document: book(1), ...seen }))
  await raises(409, 'version_conflict_engine_exception', () =>
    client.create({ index: INDEX, id: 'hobbit', document: book(1) }))

  const partly = await client.update({ index: INDEX, id: 'hobbit', doc: { price: 9.75 }, _source: true })
  assert.deepEqual([partly.result, partly._version], ['updated', 3])
  assert.equal(partly.get._source.price, 9.75)
  const same = await client.update({ index: INDEX, id: 'hobbit', doc: { price: 9.75 } })
  assert.equal(same.result, 'noop')
  const upsert = await client.update({ index: INDEX, id: 'fresh', doc: { pages: 1 }, doc_as_upsert: true })
  assert.equal(upsert.result, 'created')
  await raises(404, 'document_missing_exception', () =>
    client.update({ index: INDEX, id: 'absent', doc: { pages: 1 } }))
}

async function getsInRealTime (client) {
  const got = await client.get({ index: INDEX, id: 'hobbit' })
  assert.deepEqual([got.found, got._version], [true, 3])
  assert.deepEqual([got._source.pages, got._source.price], [310, 9.75])
  assert.equal(await client.exists({ index: INDEX, id: 'hobbit' }), true)
  assert.equal(await client.exists({ index: INDEX, id: 'absent' }), false)
  assert.equal((await client.delete({ index: INDEX, id: 'hobbit' })).result, 'deleted')
  assert.equal((await client.delete({ index: INDEX, id: 'fresh', refresh: true })).result, 'deleted')
  const gone = await raises(404, undefined, () => client.get({ index: INDEX, id: 'hobbit' }))
  assert.equal(gone.body.found, false)

  const { docs } = await client.mget({ index: INDEX, ids: ['3', 'hobbit', '5'] })
  assert.deepEqual(docs.map(doc => doc.found), [true, false, true])
  assert.deepEqual(docs[2]._source, book(5))
}

async function searches (client) {
  const query = {
    bool: {
      must: [{ match: { title: 'long' } }],
      filter: [{ range: { pages: { gte: 105 } } }],
      must_not: [{ term: { author: 'calvino' } }]
    }
  }
  const expected = numbers.filter(n => n % 2 && n >= 5 && n % 3 !== 2).reverse().map(String)
  const found = []
  let after
  while (true) {
    const page = await client.search({
      index: INDEX,
      query,
      sort: [{ published: 'desc' }, { pages: { order: 'desc' } }],
      size: 3,
      search_after: after,
      track_total_hits: true
    })
    assert.deepEqual(page.hits.total, { value: expected.length, relation: 'eq' })
    assert.equal(page._shards.failed, 0)
    if (page.hits.hits.length === 0) break
    found.push(...page.hits.hits.map(hit => hit._id))
    after = page.hits.hits.at(-1).sort
  }
  assert.deepEqual(found, expected)

  const documents = await client.helpers.search({ index: INDEX, query: { term: { author: 'borges' } }, size: 20 })
  assert.deepEqual(documents.map(document => document.pages).sort(), [101, 104, 107, 110, 113, 116, 119, 122])
  assert.equal((await client.count({ index: INDEX, query: { term: { author: 'borges' } } })).count, 8)

  const { responses } = await client.msearch({
    index: INDEX,
    searches: [
      {}, { query: { term: { in_print: true } }, size: 0 },
      { index: 'absent' }, { query: { match_all: {} } }
    ]
  })
  assert.equal(responses[0].hits.total.value, 6)
  assert.equal(responses[1].error.type, 'index_not_found_exception')
  assert.equal(responses[1].status, 404)

  // The helper gathers searches of its callers into one request.
  const gathered = client.helpers.msearch({ operations: 2 })
  const both = await Promise.all(['austen', 'calvino'].map(author =>
    gathered.search({ index: INDEX }, { query: { term: { author } }, size: 20 })))
  gathered.stop()
  assert.deepEqual(both.map(({ documents }) => documents.length), [8, 8])
}

async function aggregates (client) {
  const { aggregations } = await client.search({
    index: INDEX,
    size: 0,
    aggs: {
      authors: {
        terms: { field: 'author', order: { mean: 'desc' } },
        aggs: { mean: { avg: { field: 'price' } } }
      },
      months: {
        date_histogram: { field: 'published', calendar_interval: 'month' },
        aggs: { pages: { sum: { field: 'pages' } } }
      }
    }
  })
  assert.deepEqual(
    aggregations.authors.buckets.map(bucket => [bucket.key, bucket.doc_count, bucket.mean.value]),
    [['calvino', 8, 13], ['borges', 8, 12], ['austen', 8, 11]])
  const months = aggregations.months.buckets
  assert.equal(months.length, 12)
  assert.deepEqual(months[1], {
    key_as_string: '2024-02-01T00:00:00.000Z',
    key: 1706745600000,
    doc_count: 2,
    pages: { value: 205 }
  })
}

async function refuses (client) {
  const missing = await raises(404, 'index_not_found_exception', () => client.search({ index: 'absent' }))
  assert.equal(missing.body.error.index, 'absent')
  await raises(400, 'parsing_exception', () => client.search({ index: INDEX, query: { nonsense: {} } }))
  await raises(400, 'strict_dynamic_mapping_exception', () =>
    client.index({ index: INDEX, document: { isbn: 1 } }))
}

async function deletes (client) {
  assert.equal((await client.indices.delete({ index: INDEX })).acknowledged, true)
  assert.equal(await client.indices.exists({ index: INDEX }), false)
  await raises(404, 'index_not_found_exception', () => client.indices.delete({ index: INDEX }))
}

const client = new Client({ node: process.argv[2], requestTimeout: 20_000, maxRetries: 0 })
assert.equal((await client.info()).tagline, 'You Know, for Search')
assert.equal(await client.ping(), true)
for (const step of [creates, bulks, updates, getsInRealTime, searches, aggregates, refuses, deletes]) {
  await step(client)
  console.log(`${step.name}: as expected`)
}
await client.close()
