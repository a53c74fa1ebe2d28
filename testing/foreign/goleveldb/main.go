// Opens databases by goleveldb.
//
//	goleveldb DIR...         tries to open each: a line "refused DIR: why" or "opened DIR: N entries"
//	goleveldb dump DIR       prints the entries in the form of the golden dumps
package main

import (
	"fmt"
	"hash/fnv"
	"os"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

func try(dir string) {
	db, err := leveldb.OpenFile(dir, &opt.Options{ErrorIfMissing: true})
	if err != nil {
		fmt.Printf("refused %s: %v\n", dir, err)
		return
	}
	defer db.Close()
	entries := 0
	iter := db.NewIterator(nil, nil)
	defer iter.Release()
	for iter.Next() {
		entries++
	}
	fmt.Printf("opened %s: %d entries, %v\n", dir, entries, iter.Error())
}

func dump(dir string) error {
	db, err := leveldb.OpenFile(dir, &opt.Options{ErrorIfMissing: true})
	if err != nil {
		return err
	}
	defer db.Close()
	iter := db.NewIterator(nil, nil)
	defer iter.Release()
	for iter.Next() {
		sum := fnv.New32a()
		sum.Write(iter.Value())
		fmt.Printf("%x %d %08x\n", iter.Key(), len(iter.Value()), sum.Sum32())
	}
	return iter.Error()
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "dump" {
		if err := dump(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for _, dir := range os.Args[1:] {
		try(dir)
	}
}
