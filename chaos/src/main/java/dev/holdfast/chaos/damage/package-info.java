/// Damage to what is stored: single bits flipped and objects removed, then a node over it, whose
/// every answer must be right or an error that names the object.
@NullMarked
package dev.holdfast.chaos.damage;

import org.jspecify.annotations.NullMarked;
