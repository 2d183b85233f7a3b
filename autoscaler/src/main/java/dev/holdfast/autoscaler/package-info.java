/// Autoscaling (§7): needs of a tier in, its size out. [TierSizing] decides and explains itself in
/// words; it does no I/O, asks no clock and keeps nothing: what it must remember is a [SizeHistory]
/// that it is given and gives back. Any thread; throws nothing, whatever the reports hold.
@NullMarked
package dev.holdfast.autoscaler;

import org.jspecify.annotations.NullMarked;
