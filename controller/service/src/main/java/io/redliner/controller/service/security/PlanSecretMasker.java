// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.net.URI;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes secrets out of a plan before it is shown to a user who may not change it, or put into a report. A webhook's address
 * is a secret, as its reader can often post to it; only its scheme and host remain.
 */
public final class PlanSecretMasker {

    private static final String MASK = "***";

    private static final Set<String> SECRETS = Set.of("secret", "password", "token", "key");

    private static final Set<String> ADDRESSES = Set.of("webhook", "slack", "url");

    private PlanSecretMasker() {}

    /** Returns a copy of a plan's canonical content without the secrets of {@code spec.notify}. */
    public static JsonNode masked(JsonNode plan) {
        JsonNode copy = plan.deepCopy();
        mask(copy.at("/spec/notify"));
        return copy;
    }

    private static void mask(JsonNode node) {
        if (node instanceof ArrayNode items) {
            items.forEach(PlanSecretMasker::mask);
        } else if (node instanceof ObjectNode fields) {
            for (String name : Set.copyOf(fields.propertyNames())) {
                JsonNode value = fields.get(name);
                if (SECRETS.contains(name)) {
                    fields.put(name, MASK);
                } else if (ADDRESSES.contains(name) && value.isString()) {
                    fields.put(name, place(value.asString()));
                } else {
                    mask(value);
                }
            }
        }
    }

    /** Returns the scheme and the host of an address, which are no secret, and masks the rest. */
    static String place(String address) {
        try {
            URI uri = URI.create(address);
            return uri.getHost() == null ? MASK : uri.getScheme() + "://" + uri.getHost() + "/" + MASK;
        } catch (IllegalArgumentException malformed) {
            return MASK;
        }
    }
}
