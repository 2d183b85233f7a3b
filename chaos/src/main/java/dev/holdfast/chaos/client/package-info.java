/// Clients that remember what they were told: bulks, single writes, fresh searches, rivals on the
/// same documents; what a document may look like after that; and the reading back of everything.
@NullMarked
package dev.holdfast.chaos.client;

import org.jspecify.annotations.NullMarked;
