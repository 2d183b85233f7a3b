/// The paper's experiments with several processes (§8.2): real nodes over a real S3 server, with
/// shares of the machine's processors that they cannot exceed.
@NullMarked
package dev.holdfast.benchmark.process;

import org.jspecify.annotations.NullMarked;
