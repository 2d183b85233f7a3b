/// What clients do and were told: requests, the ledger of what follows from each answer, and
/// histories of single documents, which must be linearizable.
@NullMarked
package dev.holdfast.simulation.client;

import org.jspecify.annotations.NullMarked;
