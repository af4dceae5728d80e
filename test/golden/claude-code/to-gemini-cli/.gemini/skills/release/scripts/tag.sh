#!/bin/sh
git tag "$1"
