/// The versions of the cluster state in the store, `cluster/state/<term>/<ordinal>`: consecutive,
/// created with put-if-absent, so that creating the next name is the commit point and an older
/// leader is shut out by taking it. A state that is absent or has a hole means a cluster that has
/// lost it, never an empty one: nothing starts over it ([StateSurvey], [IncompleteStateException]),
/// and `holdfast store repair` makes a new one ([StateRepair], decision 017). One object of
/// [StateLog] writes one term, from one thread.
@NullMarked
package dev.holdfast.clusterstate.log;

import org.jspecify.annotations.NullMarked;
