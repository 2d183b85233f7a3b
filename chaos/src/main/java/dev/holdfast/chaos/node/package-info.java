/// Real processes: nodes by `./holdfast start`, an S3 server, the proxy between them that answers
/// with errors, a build of an earlier commit; signals; plain HTTP to this machine. Processes end
/// with the run.
@NullMarked
package dev.holdfast.chaos.node;

import org.jspecify.annotations.NullMarked;
