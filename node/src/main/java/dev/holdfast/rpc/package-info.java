/// Calls between nodes over HTTP/2, on the port that clients use (§3): `POST /_internal/<call>`.
///
/// Every call carries a proof by the secret of the cluster, of its head and of its body, and a
/// number that is taken once: who does not prove that it belongs to the cluster is answered `401`
/// before its body is read, and a recorded call that is sent again is none. Calls have deadlines;
/// the number and the bytes of calls that are served, and of calls under way to each peer, are
/// bounded. Calls under `cluster/` keep the cluster together and wait behind no others.
///
/// A caller is told apart three outcomes: the answer, a `Refusal` of the other node (it was reached
/// and did nothing, or says what it did), and `UnreachableException`, which says whether the
/// request may have arrived. Handlers run on virtual threads and may block.
@NullMarked
package dev.holdfast.rpc;

import org.jspecify.annotations.NullMarked;
