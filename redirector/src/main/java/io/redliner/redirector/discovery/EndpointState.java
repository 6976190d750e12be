// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.Instance;
import java.util.List;
import java.util.Optional;

/** The knowledge of the instances of a service. An unknown fleet is not an empty one. */
sealed interface EndpointState {

    /** The source has never named an instance. */
    record Unknown(String reason) implements EndpointState {}

    /** The last answer of the source. */
    record Known(List<Instance> instances) implements EndpointState {

        public Known {
            instances = List.copyOf(instances);
        }
    }

    /** The last usable answer, of a source that has failed since. */
    record Stale(List<Instance> instances, String reason) implements EndpointState {

        public Stale {
            instances = List.copyOf(instances);
        }
    }

    /** The last known instances, or empty when none were ever known. */
    default Optional<List<Instance>> lastKnown() {
        return switch (this) {
            case Unknown unknown -> Optional.empty();
            case Known known -> Optional.of(known.instances());
            case Stale stale -> Optional.of(stale.instances());
        };
    }

    /** The state after the source failed for this reason. */
    default EndpointState without(String reason) {
        return lastKnown().<EndpointState>map(instances -> new Stale(instances, reason)).orElse(new Unknown(reason));
    }
}
