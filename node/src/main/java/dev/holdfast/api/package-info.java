/// The table of contents of the REST API: a class a namespace, a line an API. Adding an API is one
/// file in the package of its namespace and one line here.
///
/// Only this package knows all that there is to hand out ([ApiDependencies]); an API is given the
/// parts that it needs, by constructor. The namespaces are Elasticsearch's own (`cat`, `cluster`,
/// `document`, `indices`, `info`, `ingest`, `nodes`, `search`, `synonyms`, `tasks`), and
/// `diagnostics` for what only Holdfast has. None of them knows this package.
///
/// Rules of every API: an unknown parameter or member of a body is refused (400), nothing is
/// silently accepted; errors have Elasticsearch's types; answers are written as a stream.
@NullMarked
package dev.holdfast.api;

import org.jspecify.annotations.NullMarked;
