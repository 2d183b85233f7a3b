/// Whether the objects of a store are what was written: `holdfast store check`, and the scrub of
/// the leader, which reads the whole store slowly and again and again. Damage of what nobody reads
/// is found while other copies may still exist. Reads only; the rate is bounded ([ScrubConfig]);
/// what fails to be read is reported, never repaired here.
@NullMarked
package dev.holdfast.scrub;

import org.jspecify.annotations.NullMarked;
