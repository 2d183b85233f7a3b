/// The commits that this node keeps open for scrolls and points in time (§6.1): open, or by name
/// only where they are a spare that the store could give back. Kept for a time that each use
/// extends, within a limit of contexts. Pins in the store make points in time outlive their nodes.
@NullMarked
package dev.holdfast.search.held;

import org.jspecify.annotations.NullMarked;
