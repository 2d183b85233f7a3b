/// Tiers that go away and come back (§7.2), seen by a client: what it is answered after nothing
/// ran, how late, and whether anything acknowledged is missing.
@NullMarked
package dev.holdfast.chaos.scaling;

import org.jspecify.annotations.NullMarked;
