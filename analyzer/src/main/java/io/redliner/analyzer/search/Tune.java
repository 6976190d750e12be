// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.search;

final class Tune {
    private Tune() {}

    static double of(String name, double otherwise) {
        String value = System.getProperty("t." + name);
        return value == null ? otherwise : Double.parseDouble(value);
    }
}
