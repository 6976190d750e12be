// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import java.util.Locale;

/**
 * The attribute of a request that distinguishes users.
 *
 * @param source where in a request it stands
 * @param name of the header, cookie or query parameter; headers in lower case
 */
public record RoutingAttribute(Source source, String name) {

    /** The part of a request that has the attribute. */
    public enum Source {
        HEADER, COOKIE, QUERY
    }

    /** @throws IllegalArgumentException when it is no name */
    public RoutingAttribute {
        HttpSyntax.requireName(name);
        name = source == Source.HEADER ? name.toLowerCase(Locale.ROOT) : name;
    }
}
