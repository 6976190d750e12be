// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.capacity;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts about an instance beside its address; each is absent when not reported.
 *
 * @param version of the software that it runs
 * @param hardware its class: instances of one class are taken for equally strong
 * @param failureDomain its zone or rack, whose instances fail together
 */
public record InstanceFacts(@Nullable String version, @Nullable String hardware, @Nullable String failureDomain) {

    /** No fact is known. */
    public static final InstanceFacts NONE = new InstanceFacts(null, null, null);

    /** Returns these facts, with an absent version or hardware taken from a plan's labels of that name. */
    public InstanceFacts orLabels(Map<String, String> labels) {
        return new InstanceFacts(version == null ? labels.get("version") : version,
                hardware == null ? labels.get("hardware") : hardware, failureDomain);
    }
}
