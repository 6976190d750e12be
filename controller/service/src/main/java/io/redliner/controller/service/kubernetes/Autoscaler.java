// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object that scales a service. A run holds it: meanwhile it keeps as many instances as it has, and may still add some for users.
 *
 * @param service that it scales
 * @param resourceVersion of the object as it was read
 * @param min instances that it keeps at least; absent when its kind's default holds
 * @param max instances that it has at most
 * @param replicas instances that it has; 0 when that is not known
 * @param hold what a run changed; absent while none holds it
 */
record Autoscaler(Key key, String service, String resourceVersion, @Nullable Integer min, int max, int replicas,
        @Nullable Hold hold) {

    /** The value of this label is the service that the object scales. With it runs hold the object. */
    static final String SERVICE = "redliner.io/service";

    /** The name of the label that a held object has, and of the annotation with what the run changed. */
    static final String HELD = "redliner.io/held";

    /** The kinds of objects. */
    enum Kind {
        /** Kubernetes' own, autoscaling/v2. */
        HORIZONTAL_POD_AUTOSCALER("HorizontalPodAutoscaler", "minReplicas", 1),
        /** KEDA's. It makes a HorizontalPodAutoscaler from it, and undoes what others change in that one. */
        SCALED_OBJECT("ScaledObject", "minReplicaCount", 0);

        private final String kind;

        private final String minField;

        private final int defaultMin;

        Kind(String kind, String minField, int defaultMin) {
            this.kind = kind;
            this.minField = minField;
            this.defaultMin = defaultMin;
        }

        /** Returns the kind's name in the API. */
        String kind() {
            return kind;
        }

        /** Returns the field of the spec with the number of instances that are kept at least. */
        String minField() {
            return minField;
        }
    }

    /** The kind, the namespace and the name of an object. */
    record Key(Kind kind, String namespace, String name) {

        @Override
        public String toString() {
            return kind.kind + " " + namespace + "/" + name;
        }
    }

    /**
     * The change that a run made. It is kept in the object itself, so that each controller can undo it.
     *
     * @param before instances that the object kept at least; absent when its kind's default held
     * @param min instances that it keeps at least while it is held
     */
    record Hold(String service, String run, @Nullable Integer before, int min) {

        /** @throws NullPointerException when a field is missing */
        Hold {
            Objects.requireNonNull(service);
            Objects.requireNonNull(run);
        }
    }

    /**
     * A change of an object.
     *
     * @param min instances that it keeps at least from now on; absent for its kind's default
     * @param hold absent when no run holds it from now on
     * @param words what is done and why
     */
    record Change(@Nullable Integer min, @Nullable Hold hold, String words) {}

    /** Returns the change while this run tests the service: it is held, unless it is already or keeps as many instances anyway. */
    Optional<Change> during(String run) {
        int kept = Math.min(replicas, max);
        return hold != null || kept <= minimum(min)
                ? Optional.empty()
                : Optional.of(new Change(kept, new Hold(service, run, min, kept), "keeps its " + kept
                        + " instances while run " + run + " tests " + service + "; before it kept at least "
                        + minimum(min)));
    }

    /** Returns the change while no run tests the service: what the run changed is undone, unless somebody else changed it since. */
    Optional<Change> afterwards() {
        if (hold == null) {
            return Optional.empty();
        }
        boolean untouched = Integer.valueOf(hold.min()).equals(min);
        Integer then = untouched ? hold.before() : min;
        return Optional.of(new Change(then, null, "is not held any more, as run " + hold.run() + " is over: it keeps "
                + minimum(then) + " instances at least, "
                + (untouched ? "as before" : "as somebody set it meanwhile")));
    }

    /** Returns why instances may go during a run of its service. */
    Optional<String> problem() {
        if (replicas <= 0) {
            return Optional.of("how many instances it has is not known, so that it is not held");
        }
        return hold == null || Integer.valueOf(hold.min()).equals(min)
                ? Optional.empty()
                : Optional
                        .of("somebody set " + key.kind().minField() + " to " + minimum(min) + " while run " + hold.run()
                                + " held it at " + hold.min() + ": it may remove instances");
    }

    private int minimum(@Nullable Integer set) {
        return set == null ? key.kind().defaultMin : set;
    }
}
