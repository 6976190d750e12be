// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.Instance;
import java.util.List;
import java.util.Optional;

/** What is known of the instances of a service. An unknown fleet is not an empty one. */
sealed interface EndpointState {

    /** Nobody has ever said. */
    record Unknown(String reason) implements EndpointState {}

    /** What its source said last. */
    record Known(List<Instance> instances) implements EndpointState {

        public Known {
            instances = List.copyOf(instances);
        }
    }

    /** What was known when its source stopped to say anything of use. */
    record Stale(List<Instance> instances, String reason) implements EndpointState {

        public Stale {
            instances = List.copyOf(instances);
        }
    }

    /** The instances to go by, or empty when none were ever known. */
    default Optional<List<Instance>> lastKnown() {
        return switch (this) {
            case Unknown unknown -> Optional.empty();
            case Known known -> Optional.of(known.instances());
            case Stale stale -> Optional.of(stale.instances());
        };
    }

    /** What is left when its source says nothing of use, for this reason. */
    default EndpointState without(String reason) {
        return lastKnown().<EndpointState>map(instances -> new Stale(instances, reason)).orElse(new Unknown(reason));
    }
}
