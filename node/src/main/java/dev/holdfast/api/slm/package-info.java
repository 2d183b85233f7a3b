/// Policies that make snapshots on a schedule and delete old ones (`_slm`), followed by the node
/// that leads.
@NullMarked
package dev.holdfast.api.slm;

import org.jspecify.annotations.NullMarked;
