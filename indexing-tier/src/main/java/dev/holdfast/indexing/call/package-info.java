/// The indexing shards of a node as others see them: which calls it answers, and another node's
/// shards by calls. Codecs keep their golden bytes; new members go last and have defaults.
@NullMarked
package dev.holdfast.indexing.call;

import org.jspecify.annotations.NullMarked;
