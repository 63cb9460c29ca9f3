import { InvalidArgumentError } from 'commander';

/** Reads an option's value that is a whole number from 1. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
    }
    return value;
  };
}
