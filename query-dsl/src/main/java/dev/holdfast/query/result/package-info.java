/// Hits as plain data: [ShardHit] of a query phase, [Hit] as the client sees it. Both travel
/// between nodes: a new member goes last and has a default.
@NullMarked
package dev.holdfast.query.result;

import org.jspecify.annotations.NullMarked;
