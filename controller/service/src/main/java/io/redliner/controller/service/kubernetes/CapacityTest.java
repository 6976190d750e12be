// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import io.redliner.controller.plan.Sha256;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CapacityTest as the API server has it.
 *
 * @param uid differs from that of every earlier object of this name
 * @param deleted true when somebody deleted it, and finalizers keep it
 * @param finalizer true when it has RedLiner's finalizer
 * @param runRequest value of the annotation that asks for a run; absent when nobody asks for one
 * @param spec the spec of a plan
 */
record CapacityTest(Key key, String uid, long generation, boolean deleted, boolean finalizer,
        @Nullable String runRequest, Map<String, Object> spec, CapacityTestStatus status) {

    /** Each new value of this annotation, the time of the request, asks for one run. */
    static final String RUN_REQUEST = "redliner.io/run-requested-at";

    /** Keeps a deleted object until its run is over. */
    static final String FINALIZER = "redliner.io/stop-run";

    /** The namespace and the name of an object. */
    record Key(String namespace, String name) {

        /** Returns the name of the object's plan. No namespace has a dot in it, so that no two objects share a plan. */
        String plan() {
            return namespace + "." + name;
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Returns the idempotency key of the run that is asked for. */
    String requestKey() {
        return "kubernetes/" + uid + "/" + Sha256.hex(String.valueOf(runRequest));
    }

    /** Returns true when a run is asked for that was neither started nor refused yet. */
    boolean asksForRun() {
        return runRequest != null && !runRequest.isBlank() && !runRequest.equals(status.runRequest());
    }
}
