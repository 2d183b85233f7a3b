/// How long clients outside have no success when something happens to one node: probes of every
/// kind, sent on time however long earlier ones take, and windows that attribute them to events.
@NullMarked
package dev.holdfast.chaos.availability;

import org.jspecify.annotations.NullMarked;
