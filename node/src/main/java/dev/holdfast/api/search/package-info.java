/// APIs that search, one file an API: parsing of the request, which indices and shards it goes to,
/// the shape of the answer. The search itself is [dev.holdfast.search].
@NullMarked
package dev.holdfast.api.search;

import org.jspecify.annotations.NullMarked;
