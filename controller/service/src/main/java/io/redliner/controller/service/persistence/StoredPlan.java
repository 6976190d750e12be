// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The current version of a plan.
 *
 * @param content canonical JSON
 * @param source who changes it
 * @param file in the plan folder, or namespace and name of the Kubernetes object, when that is the source
 */
public record StoredPlan(String name, int version, String content, String hash, Instant createdAt,
        Instant updatedAt, Source source, @Nullable String file) {

    /** The origin of a plan; only this origin may change the plan. */
    public enum Source {

        /** The REST API. */
        API,

        /** The watched folder. */
        FOLDER,

        /** A CapacityTest in Kubernetes. */
        KUBERNETES;

        /** Returns the source as the place where a plan is changed. */
        public String place() {
            return switch (this) {
                case API -> "API";
                case FOLDER -> "plan folder";
                case KUBERNETES -> "CapacityTest of Kubernetes";
            };
        }

        /** Returns the name in the database and in the API. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Source of(String wireName) {
            return valueOf(wireName.toUpperCase(Locale.ROOT));
        }
    }
}
