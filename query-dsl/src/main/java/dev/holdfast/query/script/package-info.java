/// Scripts on documents of a shard: what they read, and the queries, scores and sort keys they
/// make. Called by the threads that search; what a script does wrong is the request's fault.
@NullMarked
package dev.holdfast.query.script;

import org.jspecify.annotations.NullMarked;
