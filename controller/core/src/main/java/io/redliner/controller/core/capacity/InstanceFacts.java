// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an instance beside its address; absent where nobody said.
 *
 * @param version of the software that it runs
 * @param hardware its class: instances of one class are taken for equally strong
 * @param failureDomain what fails together with it, e.g. its zone
 */
public record InstanceFacts(@Nullable String version, @Nullable String hardware, @Nullable String failureDomain) {

    /** Nobody said anything. */
    public static final InstanceFacts NONE = new InstanceFacts(null, null, null);

    /** What a plan's labels say where these say nothing: {@code version} and {@code hardware}. */
    public InstanceFacts orLabels(Map<String, String> labels) {
        return new InstanceFacts(version == null ? labels.get("version") : version,
                hardware == null ? labels.get("hardware") : hardware, failureDomain);
    }
}
