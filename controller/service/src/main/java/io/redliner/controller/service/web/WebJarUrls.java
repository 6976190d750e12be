// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import java.util.Objects;
import org.webjars.WebJarVersionLocator;

/**
 * The addresses of third-party scripts, with the versions on the class path.
 *
 * @param htmx address of htmx
 * @param echarts address of Apache ECharts
 */
record WebJarUrls(String htmx, String echarts) {

    static WebJarUrls ofClassPath() {
        WebJarVersionLocator locator = new WebJarVersionLocator();
        return new WebJarUrls(address(locator, "htmx.org", "dist/htmx.min.js"),
                address(locator, "echarts", "echarts.min.js"));
    }

    private static String address(WebJarVersionLocator locator, String name, String file) {
        String path = Objects.requireNonNull(locator.fullPath(name, file), name + " is not on the class path");
        return path.substring("META-INF/resources".length());
    }
}
