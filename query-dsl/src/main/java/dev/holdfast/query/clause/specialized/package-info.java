/// Queries of one use each: likeness to documents, percolation, pinned ids, nearness of a number or
/// date, features of documents, a query in Base64. Percolation indexes the given documents on the
/// heap and runs the queries that documents hold over them: its cost grows with the queries of the
/// index, so it is refused where expensive queries are.
@NullMarked
package dev.holdfast.query.clause.specialized;

import org.jspecify.annotations.NullMarked;
