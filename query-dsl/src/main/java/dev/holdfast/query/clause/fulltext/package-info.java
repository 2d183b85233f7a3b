/// Queries on analysed text: `match` and its kin, fields together, and the two query-string
/// languages with their parsers. All of them end in [TextQueries], which analyses a text and makes
/// terms, phrases, or prefixes of it; words of one place (synonyms) are scored as one. Parsers of
/// query strings never throw for malformed text where Elasticsearch forgives it.
@NullMarked
package dev.holdfast.query.clause.fulltext;

import org.jspecify.annotations.NullMarked;
