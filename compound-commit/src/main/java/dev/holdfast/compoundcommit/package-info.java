/// Lucene commits as objects (§4): compound commits, the virtual batch that collects them in
/// memory, the batched compound commit it is uploaded as, and the Lucene directories that read and
/// write them.
@NullMarked
package dev.holdfast.compoundcommit;

import org.jspecify.annotations.NullMarked;
