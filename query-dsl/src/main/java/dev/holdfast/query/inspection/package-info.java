/// Requests about one shard that are no searches (`_explain`, `_validate`, `_terms_enum`,
/// `_termvectors`, field usage): JSON in, JSON out, so that the shard may be on any node. One file
/// a kind, one line in [ShardInspections].
@NullMarked
package dev.holdfast.query.inspection;

import org.jspecify.annotations.NullMarked;
