// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

/** Makes whole numbers of weights, so that their sum is never off by 1 or more. */
final class SampleWeightRounder {

    private double carried;

    int whole(double weight) {
        carried += weight;
        int whole = (int) carried;
        carried -= whole;
        return whole;
    }
}
