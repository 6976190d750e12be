// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

/** Parts of the names of routes: redirectors write them, and collectors read them in access logs. */
public final class RouteNames {

    /** The end of the name of a route for requests that a lease does not cover. */
    public static final String OUTSIDE = "/outside";

    /** Stands before the SUT in the name of each route of a test. */
    public static final String REDIRECTED = "/redirected/";

    private RouteNames() {}
}
