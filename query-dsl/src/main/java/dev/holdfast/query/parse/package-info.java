/// The wiring of the search language, above all clauses and aggregations: the only package that
/// knows every kind. [Queries] and [Aggregations] are the registries, one line a kind;
/// [SearchParser] reads bodies of clients and of other nodes. Whatever needs a reader is handed one
/// from here; nothing below depends on this package. Pure functions, for any thread; whatever is
/// wrong with a body is a `Refusal` that says where.
@NullMarked
package dev.holdfast.query.parse;

import org.jspecify.annotations.NullMarked;
